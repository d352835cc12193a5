import { formatSize } from '#shared/text/format.ts'
import { Icons } from '#kit/icons.tsx'
import { type RefObject, useMemo, useCallback, useState } from 'react'
import { Button, IconButton } from '#kit/Button.tsx'
import { selectFiles } from '#kit/clipboard.ts'
import { Segments } from '#kit/Switch.tsx'
import { toast } from '#kit/toasts.ts'
import { minifyJson } from '#shared/json/format.ts'
import { formatText, hasPlaceholder } from '../editor/json-place.ts'
import type { Editor } from '../editor/CodeEditor.tsx'
import type { Session } from '../store.ts'
import {
  possibleModes,
  type BodyMode,
  encodeText,
  firstMode,
  type Layout,
  layoutOf,
  toHex,
} from './body-modes.ts'
import { useClient } from '#client/use-client.ts'
import { edit, editBody } from '../edit.ts'
import { fitsBody } from '../open.ts'
import { textOf } from '#parts/body/body-text.ts'
import type { Client } from '#client/client.ts'

const rewrites = [
  {
    label: 'Format',
    icon: Icons.AlignLeft,
    title: 'Format with two spaces per level. Values stay the same, bytes change.',
    by: formatText,
    done: 'Already formatted.',
  },
  {
    label: 'Minify',
    icon: Icons.Minimize2,
    title: 'Remove white space between tokens',
    by: minifyJson,
    done: 'Already minified.',
  },
]

const modeLabels = { json: 'JSON', text: 'Text', hex: 'Hex' } as const

interface Props {
  session: Session
  body: ReturnType<typeof useBodyText>
  bytes: Uint8Array
  /** The bytes as text; null if they are not text. */
  text: string | null
  editor: RefObject<Editor | null>
  compared: boolean
}

export function BodyTools({ session, body, bytes, text, editor }: Props) {
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
          {rewrites.map(({ label, icon, title, by, done }) => (
            <Button
              key={label}
              kind="quiet"
              small
              icon={icon}
              title={title}
              onClick={() => rewrite(by, done)}
            >
              {label}
            </Button>
          ))}
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
  onBytes: (bytes: Uint8Array) => void
  children: string
  kind?: 'quiet' | 'primary'
  small?: boolean
}

export function FileButton({ onBytes, children, kind = 'quiet', small = false }: FileProps) {
  const select = (): void =>
    selectFiles(([file]) => {
      if (!file || !fitsBody(file)) return
      file.arrayBuffer().then(
        (buffer) => onBytes(new Uint8Array(buffer)),
        () => toast('invalid', 'Could not read the file.'),
      )
    })
  return small ? (
    <IconButton label={children} onClick={select}>
      <Icons.FileUp />
    </IconButton>
  ) : (
    <Button kind={kind} icon={Icons.FileUp} onClick={select}>
      {children}
    </Button>
  )
}

function PlaceholderSwitch({ session, text }: { session: Session; text: string }) {
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

/** The current bytes of the body; null if it is too large or not available. */
export function bodyBytes({ content, original }: Session): Uint8Array | null {
  return content.body.kind === 'bytes' ? content.body.bytes : (original?.body ?? null)
}

/** The body of a session as editable text. */
export function useBodyText(client: Client, session: Session, bytes: Uint8Array) {
  const [{ mode, revision, text }, setShown] = useState(() =>
    initialState(firstMode(bytes), 0, bytes),
  )
  const originalBody = session.original?.body ?? null
  const captured = useMemo(
    () => (originalBody === null ? null : textInMode(mode, originalBody)),
    [originalBody, mode],
  )
  const [layout, setLayout] = useState(() => layoutOf(text, captured))
  const original = useMemo(
    () => (captured !== null && mode === 'json' ? (layout(captured) ?? captured) : captured),
    [captured, mode, layout],
  )
  const { key } = session
  const write = useCallback(
    (written: string) => {
      // The initial text, should the editor be recreated.
      setShown((before) => ({ ...before, text: written }))
      setLayout((before: Layout) => layoutOf(written, captured, before))
      editBody(client, key, encodeText(written))
    },
    [client, key, captured],
  )
  return {
    mode,
    /** Incremented when the text is replaced from outside, to recreate the editor. */
    revision,
    /** The initial text of the editor. */
    text,
    /** The original body in the same mode, and JSON in the layout of the text, so that only values differ; null if there is none or it cannot be shown in this mode. */
    original,
    setMode: (next: BodyMode) => setShown(initialState(next, revision + 1, bytes)),
    write,
    /** Replaces the body. */
    put: (next: Uint8Array) => {
      editBody(client, key, next)
      setShown(
        initialState(textInMode(mode, next) === null ? firstMode(next) : mode, revision + 1, next),
      )
    },
  }
}

function initialState(mode: BodyMode, revision: number, bytes: Uint8Array) {
  return { mode, revision, text: textInMode(mode, bytes) ?? '' }
}

function textInMode(mode: BodyMode, bytes: Uint8Array): string | null {
  return mode === 'hex' ? toHex(bytes) : textOf(bytes)
}
