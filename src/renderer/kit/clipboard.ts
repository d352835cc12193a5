import { toast } from './toasts.ts'

/** Copies text. Rejects if the browser denies access. `instead`: what the user can do then. */
export async function copyText(
  text: string,
  instead = 'Select the text and copy it.',
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(`The browser denied access to the clipboard. ${instead}`)
  }
}

interface SavedFile {
  readonly name: string
  /** Where the host saved it; null: nowhere. */
  readonly path: string | null
  readonly bytes: Uint8Array | null
}

/** With native dialogs, the host has asked where. Otherwise the browser downloads the file. */
export function saveFile({ name, path, bytes }: SavedFile): void {
  if (path !== null) toast('valid', `Saved: ${path}`)
  if (bytes === null) return
  const url = URL.createObjectURL(new Blob([Uint8Array.from(bytes)]))
  download(url, name)
  URL.revokeObjectURL(url)
}

export function download(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click()
}

/** Asks for a file, or for several. */
export function selectFiles(
  onFiles: (files: File[]) => void,
  options: { readonly accept?: string; readonly multiple?: boolean } = {},
): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', hidden: true, ...options })
  input.addEventListener('cancel', () => input.remove())
  input.addEventListener('change', () => {
    input.remove()
    onFiles([...(input.files ?? [])])
  })
  document.body.append(input)
  input.click()
}
