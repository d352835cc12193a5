/** `data.tags[3]`, or `data["a key"]` for a key that is not an identifier. `path`: of the parent, '' at the root. */
export function childPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!/^[\w$]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}

/** In the notation of findings, for any key: `.total`, `[3]`. */
export function findingStep(step: string | number): string {
  return typeof step === 'number' ? `[${step}]` : `.${step}`
}

/** Reverses `childPath`: `data.itemNames[0]` and `data["a key"]` as steps. Null if it is not written like that. */
export function parsePath(text: string): (string | number)[] | null {
  const steps: (string | number)[] = []
  const step = /(\.?)([\w$]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y
  for (let at = 0; at < text.length; at = step.lastIndex) {
    step.lastIndex = at
    const found = step.exec(text)
    if (!found) return null
    const [, dot, key, index, quoted] = found
    // A key follows a dot, except for the first one.
    if (key !== undefined && (dot === '') !== (at === 0)) return null
    try {
      steps.push(index === undefined ? (key ?? JSON.parse(quoted ?? '')) : Number(index))
    } catch {
      return null
    }
  }
  return steps.length === 0 ? null : steps
}

const maxShown = 200

/** As it is shown in one line: text as it is, other values as JSON, at most 200 characters; null if there is none. */
export function valueAtPath(value: unknown, path: readonly (string | number)[]): string | null {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return null
    found = Reflect.get(found, step)
  }
  if (found === undefined) return null
  const text = typeof found === 'string' ? found : JSON.stringify(found)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…`.toWellFormed() : text
}
