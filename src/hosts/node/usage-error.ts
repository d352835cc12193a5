/** The command line cannot be understood: exit code 2, and one line on stderr that says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
