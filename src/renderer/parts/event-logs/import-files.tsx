import { feedLimit } from '#contract/constants.ts'
import type { LogImport } from '#contract/logs.ts'
import { createMutex } from '#shared/async/mutex.ts'
import { plural } from '#shared/text/format.ts'
import { CallError, type Client } from '#client/client.ts'
import { messageOf } from '#kit/use-action.ts'
import { toast } from '#kit/toasts.ts'
import { logAddress } from '#client/addresses/pages.ts'
import { escapeControls } from '#kit/text/visible.ts'
import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { useClient } from '#client/use-client.ts'

function reject(name: string, message: string): void {
  toast('invalid', `“${escapeControls(name)}” could not be imported. ${message}`)
}

/** The part of the `File` interface that an import needs. */
export interface ReadableFile {
  readonly name: string
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

const maxNameLength = 300

/**
 * Uploads a file in chunks, one in memory at a time, and returns the finished import, which contains problems with the content. Throws if the
 * import cannot start or the file cannot be read. Nothing is stored then.
 */
export async function uploadFile(client: Client, file: ReadableFile): Promise<LogImport> {
  const { id } = await client.call('logs.import', {
    from: { kind: 'feed', name: file.name.slice(0, maxNameLength), size: file.size },
  })
  try {
    await uploadChunks(client, id, file)
  } catch (error) {
    // `run_over`: the import has already ended, because it was cancelled or the content is unreadable. The import contains the reason.
    if (!(error instanceof CallError && error.code === 'run_over')) {
      await client.call('logs.cancelImport', { id }).catch(() => undefined)
      throw error
    }
  }
  return client.call('logs.imported', { id })
}

async function uploadChunks(client: Client, id: number, file: ReadableFile): Promise<void> {
  for (let from = 0; ; from += feedLimit) {
    const to = Math.min(from + feedLimit, file.size)
    const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer())
    const end = to === file.size
    await client.call('logs.feed', { id, bytes, end })
    if (end) return
  }
}

/** One file at a time, also across calls. */
const oneAtATime = createMutex()

/** Imports files one after another. A single log opens after the import, unless the user has left the page. Otherwise a toast links to it. */
export function importFiles(client: Client, files: readonly ReadableFile[]): void {
  if (files.length === 0) return
  const startHash = location.hash
  const run = async (): Promise<void> => {
    const done: LogImport[] = []
    for (const file of files) {
      const imported = await importFile(client, file)
      if (imported?.logId != null) done.push(imported)
    }
    reportImported(done, startHash)
  }
  void oneAtATime(run)
}

async function importFile(client: Client, file: ReadableFile): Promise<LogImport | null> {
  try {
    return await uploadFile(client, file)
  } catch (error) {
    reject(file.name, rejectionMessage(error))
    return null
  }
}

function rejectionMessage(error: unknown): string {
  if (error instanceof CallError) return messageOf(error)
  return 'The file could not be read. It may be a folder, or it was moved or changed. Select it again.'
}

/** Imports a file that the user selects in the host's file dialog. */
export async function importWithDialog(client: Client): Promise<void> {
  const startHash = location.hash
  try {
    const { id } = await client.call('logs.import', { from: { kind: 'ask' } })
    const done = await client.call('logs.imported', { id })
    if (done.logId !== null) reportImported([done], startHash)
  } catch (error) {
    // The user cancelled the dialog.
    if (error instanceof CallError && error.code === 'run_over') return
    reject('The file', messageOf(error))
  }
}

function reportImported(done: readonly LogImport[], startHash: string): void {
  const [first] = done
  if (first === undefined || first.logId === null) return
  const address = logAddress(first.logId)
  const single = done.length === 1
  if (single && first.known) {
    toast('valid', `“${first.name}” was already imported. This is the existing log.`)
  }
  if (single && location.hash === startHash) {
    location.assign(address)
    return
  }
  const text = single
    ? `“${first.name}” imported.`
    : `${plural(done.length, 'log', 'logs')} imported.`
  toast('valid', text, {
    action: {
      label: single ? 'Open' : 'Show',
      run: () => location.assign(single ? address : '#/logs'),
    },
    about: 'import',
  })
}

/** Imports files that are dropped anywhere on the window, except on elements that accept files themselves. */
export function DropTarget() {
  const client = useClient()
  const [over, setOver] = useState(false)
  useEffect(() => {
    const hide = (): void => setOver(false)
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event) || event.defaultPrevented || isOverFileTarget(event)) return hide()
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    const onLeave = (event: DragEvent): void => {
      // Without a related target, the pointer has left the window.
      if (event.relatedTarget === null) hide()
    }
    const onDrop = (event: DragEvent): void => {
      hide()
      if (!hasFiles(event) || event.defaultPrevented || isOverFileTarget(event)) return
      // Otherwise the browser would navigate to the file.
      event.preventDefault()
      importFiles(client, [...(event.dataTransfer?.files ?? [])])
    }
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('dragend', hide, { signal })
    return () => stop.abort()
  }, [client])
  if (!over) return null
  return (
    <div
      className="pointer-events-none fixed inset-0 z-(--layer-top) [animation:fade_var(--ease)] bg-[color-mix(in_srgb,var(--bg)_82%,transparent)] p-5"
      role="status"
    >
      <div className="grid h-full place-content-center justify-items-center gap-4 rounded-lg border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--accent-soft)_70%,transparent)] text-center icon-xl">
        <Icons.FileInput className="text-accent" strokeWidth={1.6} />
        <b className="text-xl">Drop to import</b>
        <span className="text-mid">
          Event logs of Tabscope (.ndjson, also .gz), HAR files, and requests of ngrok or
          webhook.site
        </span>
      </div>
    </div>
  )
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}

function isOverFileTarget(event: DragEvent): boolean {
  const [inner] = event.composedPath()
  return inner instanceof Element && inner.closest('.cm-editor, input[type="file"]') !== null
}
