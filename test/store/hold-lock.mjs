// Holds the lock of a folder until it is killed: node hold-lock.mjs FOLDER
import { lockFolder } from '#engine/store/lock.ts'

lockFolder(process.argv[2] ?? '').announce('http://127.0.0.1:4780')
process.stdout.write('held\n')
setInterval(() => undefined, 60_000)
