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
