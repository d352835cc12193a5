import { systemReason } from '#shared/text/errors.ts'
import { printMessage } from './output/output.ts'
import { runCommand } from './command-line/run-command.ts'

endWithOutput()
process.exitCode = await runCommand(process.argv.slice(2), process)
// Threads and sockets are closed by now; handles that a library left open must not keep the process alive.
exitWhenWritten()

/** 0 when the reader closes the output (`tabscope listen | head`), 1 if it cannot be written. */
function endWithOutput(): void {
  process.stdout.on('error', outputFailed)
  // Messages are lost if stderr is closed; the command continues.
  process.stderr.on('error', () => undefined)
}

function exitWhenWritten(): void {
  // The callback of an empty write runs after all earlier writes.
  process.stdout.write('', (error) => {
    const failed = process.stdout.errored ?? error
    if (failed) outputFailed(failed)
    process.exit()
  })
}

function outputFailed(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  printMessage(
    `Could not write all of the output. ${systemReason(error)} The output is incomplete.`,
  )
  process.exit(1)
}
