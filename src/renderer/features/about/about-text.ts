import type { About } from '#contract/desktop.ts'

/** As a report wants it: one line for each part. No paths, since they name who is at this machine. `browser`: what shows the interface. */
export function aboutText({ versions }: Pick<About, 'versions'>, browser: string): string {
  const parts = versions.map(({ name, version }) => `${name} ${version}`)
  return [...parts, `Interface ${browser}`].join('\n')
}
