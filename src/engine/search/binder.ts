export type SqlValue = string | number | Uint8Array

/** Collects what a statement compares with: a text of the user is never a part of the SQL. */
export interface Binder {
  readonly values: Readonly<Record<string, SqlValue>>
  /** The parameter that stands for the value. */
  bind(value: SqlValue): string
  /** The parameters of several, with commas between. */
  list(values: readonly SqlValue[]): string
}

export function createBinder(): Binder {
  const values: Record<string, SqlValue> = {}
  const bind = (value: SqlValue): string => {
    const name = `p${Object.keys(values).length}`
    values[name] = value
    return `@${name}`
  }
  return { values, bind, list: (all) => all.map(bind).join(', ') }
}
