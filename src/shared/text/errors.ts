export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Of the system, SQLite, TLS or Node, such as `ENOENT`; empty for other errors. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}
