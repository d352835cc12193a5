/** The arguments are invalid: exit code 2, and one line on stderr that says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
