/** Returns the path of a member: `data.tags[3]`, or `data["a key"]` for a key that is not an identifier. `path` is the path of the parent, '' at the root. */
export function childPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`
  if (!/^[\w$]+$/.test(step)) return `${path}[${JSON.stringify(step)}]`
  return path === '' ? step : `${path}.${step}`
}

/** Returns a path step in the notation of findings, for any key: `.total`, `[3]`. */
export function findingStep(step: string | number): string {
  return typeof step === 'number' ? `[${step}]` : `.${step}`
}
