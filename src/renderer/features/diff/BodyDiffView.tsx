import { formatSize, formatCount, plural } from '#shared/text/format.ts'
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

/** The first difference of two bodies, with the surrounding bytes. */
function ByteDiffView({ diff }: { readonly diff: ByteDiff }) {
  const { at, from, around, sizes } = diff
  if (at === null) return null
  const ended = sizes.findIndex((size) => size === at)
  return (
    <div className="round-m framed shrink clip diff-box">
      <Text as="p" pad={[3, 4]} size="s" tone="dim">
        {ended >= 0
          ? `Identical up to byte ${formatCount(at)}, where the body ${ended === 0 ? 'before' : 'after'} ends.`
          : `First difference at byte ${formatCount(at)}, counted from 0.`}{' '}
        {plural(sizes[0], 'byte', 'bytes')} before, {formatCount(sizes[1])} after.
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
      // Scrollable, so it must be reachable by keyboard.
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

/** The differences of two texts by line. */
function LineDiffView({ diff }: { readonly diff: LineDiff }) {
  const { rows, added, removed } = diff
  return (
    <div className="round-m framed shrink clip diff-box">
      <Text as="p" pad={[3, 4]} size="s" tone="dim">
        {plural(added, 'line', 'lines')} added, {plural(removed, 'line', 'lines')} removed.
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
        <span className="dim">{formatCount(row.number)} unchanged lines</span>
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
const viewLabels = { meaning: 'By value', lines: 'By line', bytes: 'By byte' } as const

interface Props {
  readonly before: DiffSide
  readonly after: DiffSide
}

/** The differences between two bodies. */
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
              {side.altered === 'omitted' ? 'not in the log' : formatSize(side.bytesKept)}
              {side.altered === 'redacted' && ', redacted'}
              {side.altered === null &&
                side.bytesKept < side.bytes &&
                ` stored of ${formatSize(side.bytes)}`}
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

/** Notes which bodies were redacted, since the redaction alone can cause differences. */
function Redacted({ before, after }: Props) {
  const sides = [before.altered === 'redacted', after.altered === 'redacted']
  if (!sides.includes(true)) return null
  const [subject, log] = sides.includes(false)
    ? [`The body ${sides[0] ? 'before' : 'after'} was`, 'its log was']
    : ['Both bodies were', 'their logs were']
  return (
    <Note tone="info">
      {subject} redacted when {log} exported. Pseudonyms replace some values, so this comparison
      differs from one of the captured bodies.
    </Note>
  )
}

function Compared({ comparison, before, after }: Props & { readonly comparison: BodyComparison }) {
  switch (comparison.phase) {
    case 'comparing':
      return (
        <p className="dim" role="status">
          Comparing the bodies…
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
            ? 'Neither message has a body.'
            : sameBytes(before, after)}
        </p>
      )
    case 'omitted':
      return <Note tone="info">{omittedSentence(before, after)}</Note>
    case 'too-long':
      return (
        <Note tone="info">
          {before.sha256 === null || after.sha256 === null
            ? `The bodies cannot be compared: one is larger than ${formatSize(bytesUpTo)} and has no SHA-256.`
            : `The bodies differ. One is larger than ${formatSize(bytesUpTo)}, so only their SHA-256 is compared.`}
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
  return `The bodies are identical, byte for byte${redacted ? ', as redacted' : ''}.`
}

function omittedSentence(before: DiffSide, after: DiffSide): string {
  if (before.altered === after.altered) return 'Neither body is in its log.'
  const which = before.altered === 'omitted' ? 'before' : 'after'
  return `The bodies cannot be compared: the body ${which} is not in its log.`
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
  const [selectedView, setSelectedView] = useState<View | null>(null)
  const possible: View[] = [
    ...(json ? (['meaning'] as const) : []),
    ...(lines ? (['lines'] as const) : []),
    'bytes',
  ]
  const view =
    selectedView !== null && possible.includes(selectedView)
      ? selectedView
      : (possible[0] ?? 'bytes')
  const decodedSides =
    decoded[0] && decoded[1] ? 'Both bodies' : decoded[0] ? 'The body before' : 'The body after'
  return (
    <>
      <p className={bytes.equal ? 'diff-equal' : ''}>
        {bytes.equal ? same : json ? describeDifferences(json) : notJson}
      </p>
      {(decoded[0] || decoded[1]) && (
        <Note tone="info">
          {decodedSides} had a content encoding and {decoded[0] && decoded[1] ? 'were' : 'was'}{' '}
          decoded for the comparison.
        </Note>
      )}
      {!bytes.equal && (
        <>
          {possible.length > 1 && (
            <Segments
              label="Compare"
              value={view}
              options={possible.map((value) => ({ value, label: viewLabels[value] }))}
              onChange={setSelectedView}
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

function describeDifferences({ counts, equal }: JsonDiff): string {
  if (equal) {
    return 'Same values with different formatting: white space, key order, escapes or number format.'
  }
  const parts = [
    [counts.added, 'added'],
    [counts.removed, 'removed'],
    [counts.changed, 'changed'],
    [counts.retyped, 'with a different type'],
    [counts.moved, 'moved'],
  ] as const
  const named = parts.filter(([n]) => n > 0).map(([n, word]) => `${formatCount(n)} ${word}`)
  return `${plural(
    parts.reduce((sum, [n]) => sum + n, 0),
    'difference',
    'differences',
  )}: ${named.join(', ')}.`
}
