import { colored } from './output.ts'
import { visible } from '#shared/text/visible.ts'

/** `Name: value` */
export function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(([name, value]) => `${colored('cyan', visible(name))}: ${visible(value)}`)
}
