const folder = '../../../resources/generate/types/'
const texts = import.meta.glob<string>('../../../resources/generate/types/*', {
  eager: true,
  query: '?raw',
  import: 'default',
})

/** A text of `resources/generate/types/` with each `{{slot}}` replaced. */
export function fill(file: string, slots: Readonly<Record<string, string>> = {}): string {
  const text = texts[`${folder}${file}`] ?? ''
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, slot: string) => slots[slot] ?? '')
}
