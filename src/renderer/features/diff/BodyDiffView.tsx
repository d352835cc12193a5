import { formatSize, formatCount, plural } from '#shared/text/format.ts'
import { maxComparedBytes, type ValueChange } from '#shared/diff/bodies.ts'
import { Icons } from '../../ui/icons.tsx'
import { Fragment, useId, useState } from 'react'
import { Text, Stack } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Note.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { Shown } from '../../ui/Shown.tsx'
import type { ShownBodyDiff } from './diff-model.ts'
import { DiffLines, DiffSign, LineDiffView, SameText } from './LineDiffView.tsx'
import type { DiffSide } from './side.ts'
import { type BodyComparison, useBodyDiff } from './use-body-diff.ts'

const viewLabels = { value: 'By value', line: 'By line' } as const
type View = keyof typeof viewLabels

interface Props {
  readonly before: DiffSide
  readonly after: DiffSide
}

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
      {subject} redacted when {log} exported. Aliases and masks replace values, so this comparison
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
        <SameText>
          {before.bytesKept === 0 && after.bytesKept === 0
            ? 'Neither message has a body.'
            : sameBytes(before, after)}
        </SameText>
      )
    case 'omitted':
      return <Note tone="info">{omittedSentence(before, after)}</Note>
    case 'too-long':
      return (
        <Note tone="info">
          {before.sha256 === null || after.sha256 === null
            ? `The bodies cannot be compared: one is larger than ${formatSize(maxComparedBytes)} and has no SHA-256.`
            : `The bodies differ. One is larger than ${formatSize(maxComparedBytes)}, so only their SHA-256 is compared.`}
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

interface FoundProps {
  readonly diff: ShownBodyDiff
  readonly same: string
  readonly decoded: readonly [before: boolean, after: boolean]
}

function Found({ diff, decoded, same }: FoundProps) {
  const [selectedView, setSelectedView] = useState<View | null>(null)
  const possible: View[] = [
    ...(diff.values.length > 0 ? (['value'] as const) : []),
    ...(diff.lines.length > 0 ? (['line'] as const) : []),
  ]
  const view = possible.find((each) => each === selectedView) ?? possible[0]
  const decodedSides =
    decoded[0] && decoded[1] ? 'Both bodies' : decoded[0] ? 'The body before' : 'The body after'
  return (
    <>
      {diff.equal ? <SameText>{same}</SameText> : <p>{summary(diff)}</p>}
      {(decoded[0] || decoded[1]) && (
        <Note tone="info">
          {decodedSides} had a content encoding and {decoded[0] && decoded[1] ? 'were' : 'was'}{' '}
          decoded for the comparison.
        </Note>
      )}
      {!diff.equal && (
        <>
          {possible.length > 1 && (
            <Segments
              label="Compare"
              value={view ?? 'value'}
              options={possible.map((value) => ({ value, label: viewLabels[value] }))}
              onChange={setSelectedView}
            />
          )}
          {view === 'value' && <ValueDiffView diff={diff} />}
          {view === 'line' && <LineDiffView rows={diff.lines} />}
        </>
      )}
    </>
  )
}

function summary({ as, values, bytes, firstDifference }: ShownBodyDiff): string {
  if (as === 'text') return 'The bodies are not both JSON: compared by line.'
  if (as === 'bytes') {
    return `The bodies are not both text. They differ from byte ${formatCount(firstDifference ?? 0)} on, counted from 0: ${plural(bytes[0], 'byte', 'bytes')} before, ${formatCount(bytes[1])} after.`
  }
  return values.length > 0
    ? 'The bodies differ. By value, key order, white space and escapes are ignored.'
    : 'Same values with different formatting: white space, key order, escapes or number format.'
}

function ValueDiffView({ diff: { values, counts, wraps } }: { readonly diff: ShownBodyDiff }) {
  const all = counts.added + counts.removed + counts.changed
  const rest = all - values.length
  const summary = `${plural(all, 'difference', 'differences')}: ${formatCount(counts.added)} added, ${formatCount(counts.removed)} removed, ${formatCount(counts.changed)} changed.${rest > 0 ? ` The last ${formatCount(rest)} are not shown.` : ''}`
  if (wraps) {
    return (
      <div className="round-m framed shrink clip diff-box">
        <Text as="p" pad={[3, 4]} size="s" tone="dim">
          {summary}
        </Text>
        <div
          className="mono size-s selectable diff-wrapped"
          role="region"
          aria-label="Differences by path"
        >
          {values.map((value) => (
            <ValueLine key={`${value.change} ${value.path}`} value={value} />
          ))}
        </div>
      </div>
    )
  }
  return (
    <DiffLines
      label="Differences by path"
      summary={summary}
      count={values.length}
      renderLine={(line) => {
        const value = values[line]
        return value && <ValueLine value={value} />
      }}
    />
  )
}

function ValueLine({ value: { path, change, before, after } }: { readonly value: ValueChange }) {
  return (
    <div className="diff-line" data-kind={change}>
      <DiffSign kind={change} />
      <span className="tree-key">
        <Shown text={path === '' ? 'body' : path} />
        <span className="tree-colon">: </span>
      </span>
      <span className="visually-hidden">{change} </span>
      {before !== null && (
        <del className="diff-old">
          <Shown text={before} />
        </del>
      )}
      {change === 'changed' && (
        <>
          <Icons.ArrowRight />
          <span className="visually-hidden"> becomes </span>
        </>
      )}
      {after !== null && (
        <ins className="diff-new">
          <Shown text={after} />
        </ins>
      )}
    </div>
  )
}
