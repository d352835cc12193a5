import { Icons } from '#kit/icons.tsx'
import { useEffect, useState } from 'react'
import { useClient } from '#client/use-client.ts'
import { importFiles } from './import-files.ts'

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
          Event logs of Tabscope (.ndjson, also .gz) and HAR files, one or more
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
