// One of several processes that write to the same log: file, name, count.
import { appendRotated } from '#hosts/log.ts'

const [, , file = '', name = '', count = '0'] = process.argv
for (let n = 0; n < Number(count); n += 1) {
  appendRotated(file, `${name} ${n} ${'.'.repeat(60)}\n`, { bytes: 8_000, keptFiles: 20 })
}
