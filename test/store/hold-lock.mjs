// Holds the lock of a folder until it is killed: node hold-lock.mjs FOLDER
import { lockFolder } from '#engine/platform/store/lock.ts'

const lock = lockFolder(process.argv[2] ?? '')
lock.announce('http://127.0.0.1:4780')
process.stdout.write('held\n')
// Refers to the lock: without a reference its connection is closed by the garbage collector, which releases it.
process.on('exit', () => lock.release())
setInterval(() => undefined, 60_000)
