import { AlignLeft, Braces, Columns2, FileUp, Minimize2, Search } from 'lucide-react'
import { type RefObject, useMemo, useRef } from 'react'
import { draftBodyLimit } from '#contract/compose.ts'
import { Button } from '../../../components/Button.tsx'
import { Segments } from '../../../components/Segments.tsx'
import { byteSize } from '../../../components/text/numbers.ts'
import { say } from '../../shell/toasts.ts'
import { formatted, hasPlaceholder, minified } from '../editor/json-faults.ts'
import type { Editor, Layout } from '../editor/open-editor.ts'
import type { Session } from '../store.ts'
import { possibleModes } from './body-modes.ts'
import type { useBodyText } from './use-body-text.ts'
import { useClient } from '../../../platform/use-client.ts'
import { edit } from '../edit.ts'

const words = { json: 'JSON', text: 'Text', hex: 'Hex' } as const

interface Props {
  readonly session: Session
  readonly body: ReturnType<typeof useBodyText>
  readonly bytes: Uint8Array
  /** The same as text; null: it is none. */
  readonly text: string | null
  readonly editor: RefObject<Editor | null>
  readonly layout: Layout
}

/** How the body is written, and what can be done with it as a whole. */
export function BodyTools({ session, body, bytes, text, editor, layout }: Props) {
  function rewrite(by: (text: string) => string | null, done: string): void {
    const before = editor.current?.state().sliceDoc()
    const next = before === undefined ? null : by(before)
    if (next === null) say('invalid', 'It is no JSON yet: mend it where it is marked.')
    else if (next === before) say('valid', done)
    else editor.current?.replace(next)
  }
  return (
    <div className="body-tools compose-tools">
      <Segments
        label="Write the body as"
        value={body.mode}
        options={possibleModes(bytes.length, text).map((value) => ({ value, label: words[value] }))}
        onChange={body.setMode}
      />
      {body.mode === 'json' && (
        <>
          <Button
            kind="quiet"
            icon={<AlignLeft aria-hidden />}
            title="Lay the JSON out, two spaces a level. No value changes, but its bytes do."
            onClick={() => {
              rewrite(formatted, 'It is laid out already.')
              if (body.original !== null) body.setLaidOut(true)
            }}
          >
            Format
          </Button>
          <Button
            kind="quiet"
            icon={<Minimize2 aria-hidden />}
            title="Take out every space between the parts"
            onClick={() => {
              rewrite(minified, 'There is no space in it to take out.')
              body.setLaidOut(false)
            }}
          >
            Minify
          </Button>
          {layout !== 'alone' && (
            <Button
              kind="quiet"
              icon={<Columns2 aria-hidden />}
              aria-pressed={body.laidOut}
              title="Shows what came laid out as well, so that only values differ"
              onClick={() => body.setLaidOut(!body.laidOut)}
            >
              Compare laid out
            </Button>
          )}
        </>
      )}
      <Button kind="quiet" icon={<Search aria-hidden />} onClick={() => editor.current?.find()}>
        Find
      </Button>
      <FileButton onBytes={body.put}>Replace by file</FileButton>
      <span className="compose-gap" />
      <PlaceholderSwitch session={session} text={text ?? ''} />
      <span className="dim">{byteSize(bytes.length)}</span>
    </div>
  )
}

interface FileProps {
  readonly onBytes: (bytes: Uint8Array) => void
  readonly children: string
  readonly kind?: 'quiet' | 'primary'
}

/** Chooses a file and reads it. */
export function FileButton({ onBytes, children, kind = 'quiet' }: FileProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind={kind} icon={<FileUp aria-hidden />} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={children}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file can be chosen again.
          event.target.value = ''
          if (!file) return
          if (file.size > draftBodyLimit) {
            say('invalid', `A body is at most ${byteSize(draftBodyLimit)} here.`)
            return
          }
          file.arrayBuffer().then(
            (buffer) => onBytes(new Uint8Array(buffer)),
            () => say('invalid', 'The file could not be read.'),
          )
        }}
      />
    </>
  )
}

interface PlaceholderSwitchProps {
  readonly session: Session
  /** Of the body. */
  readonly text: string
}

/** Whether placeholders are filled in: there where the draft has one, or is a template. */
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
      className="placeholder-switch"
      title="{{uuid}}, {{uuid:NAME}}, {{now}}, {{now:seconds}}, {{now:milliseconds}} and {{counter}}, in address, headers and body, anew at each send"
    >
      <input
        type="checkbox"
        checked={placeholders}
        onChange={(event) => edit(client, { placeholders: event.target.checked })}
      />
      <Braces aria-hidden />
      Fill in placeholders
      {placeholders && <span className="dim">counter at {counter}</span>}
    </label>
  )
}
