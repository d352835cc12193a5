import { useId, useState } from 'react'
import { Note } from '../../components/Note.tsx'
import { Segments } from '../../components/Segments.tsx'
import { byteSize, count, counted } from '../../components/text/numbers.ts'
import { ByteDiffView } from './ByteDiffView.tsx'
import type { BodyDiff } from './diff-model.ts'
import type { JsonDiff } from './json-diff.ts'
import { JsonDiffView } from './JsonDiffView.tsx'
import { LineDiffView } from './LineDiffView.tsx'
import type { DiffSide } from './side.ts'
import type { BodyComparison } from './use-body-diff.ts'
import { bytesUpTo, useBodyDiff } from './use-body-diff.ts'

type View = 'meaning' | 'lines' | 'bytes'
const words = { meaning: 'By meaning', lines: 'By line', bytes: 'By bytes' } as const

interface Props {
  readonly before: DiffSide
  readonly after: DiffSide
}

/** How two bodies differ. */
export function BodyDiffView({ before, after }: Props) {
  const heading = useId()
  const comparison = useBodyDiff(before, after)
  return (
    <section aria-labelledby={heading} className="diff-part">
      <h3 className="section-title" id={heading}>
        Body
      </h3>
      <Redacted before={before} after={after} />
      <Compared comparison={comparison} before={before} after={after} />
      <dl className="diff-sums">
        {(
          [
            ['Before', before],
            ['After', after],
          ] as const
        ).map(([word, side]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>
              {side.altered === 'omitted' ? 'not in its log' : byteSize(side.bytesKept)}
              {side.altered === 'redacted' && ', redacted'}
              {side.altered === null &&
                side.bytesKept < side.bytes &&
                ` kept of ${byteSize(side.bytes)}`}
              {side.sha256 !== null && (
                <>
                  , SHA-256 <code className="mono selectable">{side.sha256}</code>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Which of the bodies are not as captured: a difference may come from the redaction alone. */
function Redacted({ before, after }: Props) {
  const sides = [before.altered === 'redacted', after.altered === 'redacted']
  if (!sides.includes(true)) return null
  const [subject, log] = sides.includes(false)
    ? [`The body ${sides[0] ? 'before' : 'after'} was`, 'its log was']
    : ['Both bodies were', 'their logs were']
  return (
    <Note tone="info">
      {subject} redacted when {log} exported. Pseudonyms replace some values, so what is compared is
      not what was captured.
    </Note>
  )
}

function Compared({ comparison, before, after }: Props & { readonly comparison: BodyComparison }) {
  switch (comparison.phase) {
    case 'comparing':
      return (
        <p className="dim" role="status">
          Comparing the bodies
        </p>
      )
    case 'failed':
      return (
        <Note tone="invalid" alert>
          {comparison.message}
        </Note>
      )
    case 'same':
      return (
        <p className="diff-equal">
          {before.bytesKept === 0 && after.bytesKept === 0
            ? 'Neither has a body.'
            : sameBytes(before, after)}
        </p>
      )
    case 'omitted':
      return <Note tone="info">{omittedSentence(before, after)}</Note>
    case 'too-long':
      return (
        <Note tone="info">
          {before.sha256 === null || after.sha256 === null
            ? `One body is longer than ${byteSize(bytesUpTo)} and has no SHA-256 here, so they cannot be compared.`
            : `The bodies differ. One is longer than ${byteSize(bytesUpTo)}, so they are compared by their SHA-256 alone.`}
        </Note>
      )
    case 'ready':
      return (
        <Found
          diff={comparison.diff}
          decoded={comparison.decoded}
          same={sameBytes(before, after)}
        />
      )
  }
}

function sameBytes(before: DiffSide, after: DiffSide): string {
  const redacted = before.altered === 'redacted' || after.altered === 'redacted'
  return `The bodies are the same, byte for byte${redacted ? ', as redacted' : ''}.`
}

function omittedSentence(before: DiffSide, after: DiffSide): string {
  if (before.altered === after.altered) return 'Neither body is in its log.'
  const which = before.altered === 'omitted' ? 'before' : 'after'
  return `The body ${which} is not in its log, so the bodies cannot be compared.`
}

function Found({
  diff,
  decoded,
  same,
}: {
  readonly diff: BodyDiff
  readonly same: string
  readonly decoded: readonly [boolean, boolean]
}) {
  const { json, lines, bytes, notJson } = diff
  const [chosen, setChosen] = useState<View | null>(null)
  const possible: View[] = [
    ...(json ? (['meaning'] as const) : []),
    ...(lines ? (['lines'] as const) : []),
    'bytes',
  ]
  const view = chosen !== null && possible.includes(chosen) ? chosen : (possible[0] ?? 'bytes')
  const undone = decoded[0] && decoded[1] ? 'Both' : decoded[0] ? 'The one before' : 'The one after'
  return (
    <>
      <p className={bytes.equal ? 'diff-equal' : ''}>
        {bytes.equal ? same : json ? meaning(json) : notJson}
      </p>
      {(decoded[0] || decoded[1]) && (
        <Note tone="info">
          {undone} came with a content encoding, which was undone before they were compared.
        </Note>
      )}
      {!bytes.equal && (
        <>
          {possible.length > 1 && (
            <Segments
              label="Compare"
              value={view}
              options={possible.map((value) => ({ value, label: words[value] }))}
              onChange={setChosen}
            />
          )}
          {view === 'meaning' && json && !json.equal && <JsonDiffView diff={json} />}
          {view === 'lines' && lines && <LineDiffView diff={lines} />}
          {view === 'bytes' && <ByteDiffView diff={bytes} />}
        </>
      )}
    </>
  )
}

function meaning({ counts, equal }: JsonDiff): string {
  if (equal) {
    return 'They mean the same, and are written differently: white space, order of keys, escapes or the spelling of numbers.'
  }
  const parts = [
    [counts.added, 'added'],
    [counts.removed, 'removed'],
    [counts.changed, 'changed'],
    [counts.retyped, 'of another type'],
    [counts.moved, 'moved'],
  ] as const
  const named = parts.filter(([n]) => n > 0).map(([n, word]) => `${count(n)} ${word}`)
  return `${counted(
    parts.reduce((sum, [n]) => sum + n, 0),
    'difference',
    'differences',
  )}: ${named.join(', ')}.`
}
