type Header = [name: string, value: string]

export interface HeaderChange {
  /** In lower case. */
  readonly name: string
  /** `case`: the same values, but the name is spelled differently. */
  readonly change: 'same' | 'added' | 'removed' | 'changed' | 'case'
  /** As received, in order. A name that was received twice has two entries. */
  readonly before: readonly Header[]
  readonly after: readonly Header[]
}

/** Compares by lower-case names, in the order of the first list. */
export function diffHeaders(before: readonly Header[], after: readonly Header[]): HeaderChange[] {
  const [old, fresh] = [groupByName(before), groupByName(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].map((name) => {
    const [left, right] = [old.get(name) ?? [], fresh.get(name) ?? []]
    return { name, change: changeOf(left, right), before: left, after: right }
  })
}

function groupByName(headers: readonly Header[]): Map<string, Header[]> {
  return Map.groupBy(headers, ([name]) => name.toLowerCase())
}

function changeOf(before: readonly Header[], after: readonly Header[]): HeaderChange['change'] {
  if (before.length === 0) return 'added'
  if (after.length === 0) return 'removed'
  const equal = (part: 0 | 1): boolean =>
    before.length === after.length &&
    before.every((header, at) => header[part] === after[at]?.[part])
  if (!equal(1)) return 'changed'
  return equal(0) ? 'same' : 'case'
}

/** Replaces the first header of each name, or adds it, and removes its others. Null removes all of a name. */
export function changedHeaders(
  headers: readonly Header[],
  changes: readonly (readonly [name: string, value: string | null])[],
): Header[] {
  let changed = [...headers]
  for (const [name, value] of changes) {
    const isNamed = ([other]: Header): boolean => other.toLowerCase() === name.toLowerCase()
    const at = changed.findIndex(isNamed)
    const added: Header[] = value === null ? [] : [[name, value]]
    changed =
      at < 0
        ? [...changed, ...added]
        : changed.flatMap((each, index) => (index === at ? added : isNamed(each) ? [] : [each]))
  }
  return changed
}
