import { formatSize } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { type RefObject, useMemo, useRef } from 'react'
import { Button, IconButton } from '#kit/Button.tsx'
import { Segments } from '#kit/Switch.tsx'
import { toast } from '#kit/toasts.ts'
import { minifyJson } from '#shared/json/format.ts'
import { formatText, hasPlaceholder } from '../editor/json-errors.ts'
import type { Editor } from '../editor/open-editor.ts'
import type { Session } from '../store.ts'
import { possibleModes } from './body-modes.ts'
import type { useBodyText } from './use-body-text.ts'
import { useClient } from '#client/use-client.ts'
import { edit } from '../edit.ts'
import { fitsBody } from '../open.ts'

const modeLabels = { json: 'JSON', text: 'Text', hex: 'Hex' } as const

interface Props {
  readonly session: Session
  readonly body: ReturnType<typeof useBodyText>
  readonly bytes: Uint8Array
  /** The bytes as text; null if they are not text. */
  readonly text: string | null
  readonly editor: RefObject<Editor | null>
  readonly compared: boolean
}

export function BodyTools({ session, body, bytes, text, editor, compared }: Props) {
  function rewrite(by: (text: string) => string | null, done: string): void {
    const before = editor.current?.state().sliceDoc()
    const next = before === undefined ? null : by(before)
    if (next === null) toast('invalid', 'Invalid JSON. Fix the marked error.')
    else if (next === before) toast('valid', done)
    else editor.current?.replace(next)
  }
  return (
    <div className="flex flex-none flex-wrap items-center gap-1 gap-x-2 px-5 py-3 text-s">
      <Segments
        label="Show the body as"
        value={body.mode}
        options={possibleModes(bytes.length, text).map((value) => ({
          value,
          label: modeLabels[value],
        }))}
        onChange={body.setMode}
      />
      {body.mode === 'json' && (
        <>
          <Button
            kind="quiet"
            small
            icon={Icons.AlignLeft}
            title="Format with two spaces per level. Values stay the same, bytes change."
            onClick={() => {
              rewrite(formatText, 'Already formatted.')
              if (body.original !== null) body.setCompareFormatted(true)
            }}
          >
            Format
          </Button>
          <Button
            kind="quiet"
            small
            icon={Icons.Minimize2}
            title="Remove white space between tokens"
            onClick={() => {
              rewrite(minifyJson, 'Already minified.')
              body.setCompareFormatted(false)
            }}
          >
            Minify
          </Button>
          {compared && (
            <Button
              kind="quiet"
              small
              icon={Icons.Columns2}
              aria-pressed={body.compareFormatted}
              title="Formats both sides, so that only values differ"
              onClick={() => body.setCompareFormatted(!body.compareFormatted)}
            >
              Compare
            </Button>
          )}
        </>
      )}
      <IconButton label="Find in the body" onClick={() => editor.current?.find()}>
        <Icons.Search />
      </IconButton>
      <FileButton small onBytes={body.put}>
        Replace with file
      </FileButton>
      <span className="ml-auto inline-flex items-center gap-5">
        <PlaceholderSwitch session={session} text={text ?? ''} />
        <span className="text-dim">{formatSize(bytes.length)}</span>
      </span>
    </div>
  )
}

interface FileProps {
  readonly onBytes: (bytes: Uint8Array) => void
  readonly children: string
  readonly kind?: 'quiet' | 'primary'
  /** Only an icon. */
  readonly small?: boolean
}

export function FileButton({ onBytes, children, kind = 'quiet', small = false }: FileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {small ? (
        <IconButton label={children} onClick={() => input.current?.click()}>
          <Icons.FileUp />
        </IconButton>
      ) : (
        <Button kind={kind} icon={Icons.FileUp} onClick={() => input.current?.click()}>
          {children}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={children}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Reset, so that the same file can be selected again.
          event.target.value = ''
          if (!file || !fitsBody(file)) return
          file.arrayBuffer().then(
            (buffer) => onBytes(new Uint8Array(buffer)),
            () => toast('invalid', 'Could not read the file.'),
          )
        }}
      />
    </>
  )
}

interface PlaceholderSwitchProps {
  readonly session: Session
  readonly text: string
}

function PlaceholderSwitch({ session, text }: PlaceholderSwitchProps) {
  const client = useClient()
  const { content, name, counter } = session
  const { url, headers, placeholders } = content
  const found = useMemo(
    () => [url, text, ...headers.map(({ value }) => value)].some(hasPlaceholder),
    [url, headers, text],
  )
  if (!found && name === null && !placeholders) return null
  return (
    <label
      className="inline-flex items-center gap-3"
      title="{{uuid}}, {{uuid:NAME}}, {{now}}, {{now:seconds}}, {{now:milliseconds}} and {{counter}}, in address, headers and body. Each send gets new values."
    >
      <input
        type="checkbox"
        checked={placeholders}
        onChange={(event) => edit(client, session.key, { placeholders: event.target.checked })}
      />
      <Icons.Braces className="text-dim" />
      Fill in placeholders
      {placeholders && <span className="text-dim">counter at {counter}</span>}
    </label>
  )
}
