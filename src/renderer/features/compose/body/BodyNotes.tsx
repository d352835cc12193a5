import { useMemo } from 'react'
import { Note } from '../../../components/Note.tsx'
import { Shown } from '../../../components/Shown.tsx'
import { prettyJson } from '#contract/json-text.ts'
import { byteSize } from '../../../components/text/numbers.ts'
import { cut } from '../../../components/text/visible.ts'
import type { Session } from '../store.ts'
import { checkedUpTo, decodeText } from './body-modes.ts'
import { lineEndsOf } from './line-ends.ts'
import type { useBodyText } from './use-body-text.ts'

const longestShown = 20_000

interface Props {
  readonly session: Session
  readonly body: ReturnType<typeof useBodyText>
  readonly bytes: Uint8Array
  /** The same as text; null: it is none. */
  readonly text: string | null
  readonly compared: boolean
}

/** What is to be known of the body beside its text: one thing a line, and nothing where nothing is. */
export function BodyNotes({ session, body, bytes, text, compared }: Props) {
  const { preview, unreadable, originalLost, original, content } = session
  const problems = preview?.problems.filter(({ field }) => field === 'body') ?? []
  const ends = useMemo(() => lineEndsOf(text ?? ''), [text])
  const came = useMemo(() => lineEndsOf(decodeText(original?.body ?? empty) ?? ''), [original])
  const filled = useMemo(() => {
    const whole = preview?.filled ? decodeText(preview.filled) : null
    return whole === null ? null : (prettyJson(whole) ?? whole)
  }, [preview])
  return (
    <>
      {originalLost !== null && (
        <Note tone="missing">
          The delivery that it comes from is not there any more, so there is nothing to hold it
          against. {originalLost}
        </Note>
      )}
      {unreadable !== null && (
        <Note tone="invalid" alert>
          {unreadable}
        </Note>
      )}
      {problems.map(({ code, severity, message }) => (
        <Note key={code} tone={severity === 'error' ? 'invalid' : 'missing'}>
          <Shown text={message} />
        </Note>
      ))}
      {text === null && <Note tone="unsigned">It is not UTF-8, so it is written as bytes.</Note>}
      {body.mode !== 'hex' && ends === 'mixed' && (
        <Note tone="missing">
          Its lines do not all end alike. Each stays as it is; a carriage return shows as a mark.
        </Note>
      )}
      {content.body.kind === 'bytes' && compared && differsInEnds(came, ends) && (
        <Note tone="missing">
          Its lines end otherwise than those that came, which a comparison by lines does not show.
        </Note>
      )}
      {bytes.length > checkedUpTo && (
        <Note tone="info">
          Over {byteSize(checkedUpTo)}: it is edited as plain text, and neither checked nor compared
          while it is written.
        </Note>
      )}
      {filled !== null && (
        <details className="body-filled">
          <summary>As it goes out, with the placeholders filled in</summary>
          <pre className="mono selectable" aria-label="Body as it goes out">
            {cut(filled, longestShown)
              .split('\n')
              .map((line, index) => (
                // Lines of a fixed text: their place is their identity.
                // oxlint-disable-next-line react/no-array-index-key
                <span key={index}>
                  <Shown text={line} />
                  {'\n'}
                </span>
              ))}
          </pre>
        </details>
      )}
    </>
  )
}

const empty = new Uint8Array()

function differsInEnds(
  first: ReturnType<typeof lineEndsOf>,
  second: ReturnType<typeof lineEndsOf>,
): boolean {
  return first !== second && first !== 'none' && second !== 'none'
}
