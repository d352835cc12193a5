import { expect } from 'vitest'
import { jsonLines, runCli, type CliOptions } from '#test/support/run-cli.ts'

/**
 * Words separated by spaces, in which `%` is a space and `{name}` a value of the test; the exit code; and the code of the error, or the lines of
 * the output. Without the third, only that there is no error.
 */
export type Row = readonly [
  command: string,
  exitCode: number,
  expected?: string | readonly object[],
]

/** Runs the commands one after the other with `--json`: later ones may depend on earlier ones. */
export async function expectExitCodes(
  rows: readonly Row[],
  dataDir: string,
  values: Readonly<Record<string, string | number>> = {},
  options: CliOptions = {},
): Promise<void> {
  for (const [command, exitCode, expected = []] of rows) {
    const args = command
      .split(' ')
      .map((word) =>
        Object.entries(values).reduce(
          (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
          word.replaceAll('%', ' '),
        ),
      )
    const { code, stdout, stderr } = await runCli([...args, '--json', '--data', dataDir], options)
    const lines = jsonLines(stdout)
    const failed = lines.find(({ event }) => event === 'failed')
    expect({ command, code, lines, stderr }).toMatchObject({
      command,
      code: exitCode,
      lines:
        typeof expected === 'string'
          ? [...lines.slice(0, -1), { event: 'failed', code: expected }]
          : expected.length > 0
            ? expected
            : lines.filter(({ event }) => event !== 'failed'),
    })
    expect(stderr, command).not.toContain('    at ')
    if (failed !== undefined) {
      expect(stderr.startsWith(`${String(failed['message'])}\n`), command).toBe(true)
    }
  }
}
