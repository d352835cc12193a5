import {
  formatSize as byteSize,
  formatCount as count,
  plural as counted,
} from '#shared/text/format.ts'
import { Fragment, useId, useState } from 'react'
import { Text, Stack } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segments } from '../../ui/Segments.tsx'
import type { BodyDiff } from './diff-model.ts'
import type { JsonDiff } from './json-diff.ts'
import { JsonDiffView } from './JsonDiffView.tsx'
import type { DiffSide } from './side.ts'
import { type BodyComparison, bytesUpTo, useBodyDiff } from './use-body-diff.ts'
import { Shown } from '../../ui/Shown.tsx'
import { lineHeight, VirtualLines } from '../../ui/VirtualLines.tsx'
import type { ByteDiff, LineDiff, LineRow } from './byte-diff.ts'
import { hexLine, printed } from '../body/index.ts'
import './Diff.css'

const perLine = 16

/** Where two bodies differ first, with the bytes around it. */
function ByteDiffView({ diff }: { readonly diff: ByteDiff }) {
  const { at, from, around, sizes } = diff
  if (at === null) return null
  const ended = sizes.findIndex((size) => size === at)
  return (
    <div className="round-m framed shrink clip diff-box">
      <Text as="p" pad={[3, 4]} size="s" tone="dim">
        {ended >= 0
          ? `They are the same up to byte ${count(at)}, where the one ${ended === 0 ? 'before' : 'after'} ends.`
          : `They differ first at byte ${count(at)}, counted from 0.`}{' '}
        {counted(sizes[0], 'byte', 'bytes')} before, {count(sizes[1])} after.
      </Text>
      <Hex label="Bytes before" bytes={around[0]} from={from} at={at} />
      <Hex label="Bytes after" bytes={around[1]} from={from} at={at} />
    </div>
  )
}

interface HexProps {
  readonly label: string
  readonly bytes: Uint8Array
  readonly from: number
  readonly at: number
}

function Hex({ label, bytes, from, at }: HexProps) {
  const lines = Array.from({ length: Math.ceil(bytes.length / perLine) }, (_, line) => ({
    begin: from + line * perLine,
    part: bytes.subarray(line * perLine, (line + 1) * perLine),
  }))
  return (
    <div
      className="diff-hex size-s mono selectable"
      role="region"
      aria-label={label}
      // It scrolls, so the keyboard must be able to reach it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-scrolls
    >
      <h4 className="pad-x-5 dim">{label}</h4>
      {lines.length === 0 && <p className="dim">none</p>}
      {lines.map(({ begin, part }) => (
        <div
          key={begin}
          className="hex-line"
          data-now={(at >= begin && at < begin + perLine) || undefined}
        >
          <span className="line-number">{begin.toString(16).padStart(8, '0')}</span>
          <Text tone="ink">{hexLine(part)}</Text>
          <span className="hex-text">{printed(part)}</span>
        </div>
      ))}
    </div>
  )
}

const linesShown = 24

/** Two texts line by line. */
function LineDiffView({ diff }: { readonly diff: LineDiff }) {
  const { rows, added, removed } = diff
  return (
    <div className="round-m framed shrink clip diff-box">
      <Text as="p" pad={[3, 4]} size="s" tone="dim">
        {counted(added, 'line', 'lines')} added, {counted(removed, 'line', 'lines')} removed.
      </Text>
      <div style={{ height: Math.min(rows.length, linesShown) * lineHeight + 12 }}>
        <VirtualLines
          label="Differences by line"
          count={rows.length}
          renderLine={(line) => {
            const row = rows[line]
            return row && <Line row={row} />
          }}
        />
      </div>
    </div>
  )
}

const signs = { same: ' ', added: '+', removed: '−', skipped: '…' } as const satisfies Record<
  LineRow['kind'],
  string
>

function Line({ row }: { readonly row: LineRow }) {
  return (
    <div className="diff-line" data-kind={row.kind}>
      <span className="line-number" aria-hidden>
        {row.kind === 'skipped' ? '' : row.number}
      </span>
      <span className="diff-sign" aria-hidden>
        {signs[row.kind]}
      </span>
      {row.kind === 'skipped' ? (
        <span className="dim">{count(row.number)} lines are the same</span>
      ) : row.kind === 'added' ? (
        <ins className="diff-new">
          <Shown text={row.text} />
        </ins>
      ) : row.kind === 'removed' ? (
        <del className="diff-old">
          <Shown text={row.text} />
        </del>
      ) : (
        <Shown text={row.text} />
      )}
    </div>
  )
}

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
    <Stack as="section" gap={4} className="diff-part" aria-labelledby={heading}>
      <h3 className="section-title" id={heading}>
        Body
      </h3>
      <Redacted before={before} after={after} />
      <Compared comparison={comparison} before={before} after={after} />
      <dl className="definitions size-s">
        {(
          [
            ['Before', before],
            ['After', after],
          ] as const
        ).map(([word, side]) => (
          <Fragment key={word}>
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
          </Fragment>
        ))}
      </dl>
    </Stack>
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
