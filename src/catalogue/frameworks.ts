import type { GeneratedFile } from '#contract/generate.ts'
import { headerName } from './headers.ts'
import type { FixTopic } from './rehearsal/define.ts'

/** The facts in `resources/generate/handlers/<id>/framework.json`. To add a framework, add a folder. */
export interface Framework {
  /** The name of the folder. */
  readonly id: string
  readonly label: string
  /** How the raw bytes get lost in it, and how its handler keeps them. */
  readonly note: string
  /** The files of its handler that verify the raw body (API documentation, "Signature verification"): first the one that receives it. */
  readonly check: readonly string[]
  /** Code or advice by topic of a rehearsal; absent: the general sentences are enough. */
  readonly fixes: Readonly<Partial<Record<FixTopic, string>>>
  /** ID of the language of its types; absent: it has none. */
  readonly types?: string
  /** Where the types are, if not beside the other files. */
  readonly typesFolder?: string
}

const folder = '../../resources/generate/handlers/'
const facts = import.meta.glob<Omit<Framework, 'id'>>(
  '../../resources/generate/handlers/*/framework.json',
  { eager: true, import: 'default' },
)
/** Code only: the interface and the exported page show no other files. */
const texts = import.meta.glob<string>(
  [
    '../../resources/generate/handlers/**/*.{cs,go,java,php,py,rb,ts}',
    '!../../resources/generate/handlers/*/node_modules/**',
  ],
  { eager: true, query: '?raw', import: 'default' },
)

/** Sorted by label. */
export const frameworks: readonly Framework[] = Object.entries(facts)
  .map(([file, framework]) => ({ id: file.split('/').at(-2) ?? '', ...framework }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))

export function checkFiles({ id, check }: Framework, brand: string): GeneratedFile[] {
  const files = filesIn(texts, `${folder}${id}/`)
  return check
    .flatMap((path) => files.filter((file) => file.path === path))
    .map(({ path, text }) => ({ path, text: withBrand(text, brand) }))
}

export function filesIn(sources: Readonly<Record<string, string>>, start: string): GeneratedFile[] {
  return Object.entries(sources)
    .filter(([file]) => file.startsWith(start))
    .map(([file, text]) => ({ path: file.slice(start.length), text }))
}

/** Replaces the brand in the name of the signature header. */
export function withBrand(text: string, brand: string): string {
  const name = headerName(brand, 'signature')
  return text
    .replaceAll('X-Service-Signature', name)
    .replaceAll('x-service-signature', name.toLowerCase())
    .replaceAll('X_SERVICE_SIGNATURE', name.toUpperCase().replaceAll('-', '_'))
}
