import { ArrowRight } from 'lucide-react'
import type { Removal } from '#contract/logs.ts'
import { Shown } from '../../../components/Shown.tsx'
import { count, counted } from '../../../components/text/numbers.ts'
import { cut } from '../../../components/text/visible.ts'
import { removalClassWords, removalKindWords } from './removal-words.ts'

/** Each place from which something is taken out, by class: why, how often, and what becomes of it. */
export function RemovalList({ removals }: { readonly removals: readonly Removal[] }) {
  const classes = removalClassWords.flatMap(({ name, label }) => {
    const rows = removals.filter((removal) => removal.class === name)
    return rows.length === 0 ? [] : [{ name, label, rows }]
  })
  return (
    // A list with nothing to press in it is gone through by the keys all the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul className="removals" aria-label="What is taken out" data-scrolls tabIndex={0}>
      {classes.map(({ name, label, rows }) => (
        <li key={name} className="removal-class" data-class={name}>
          <h4>
            {label}
            <span className="dim">
              {counted(
                rows.reduce((sum, { values }) => sum + values, 0),
                'value',
                'values',
              )}
            </span>
          </h4>
          <ul aria-label={label}>
            {rows.map((removal) => (
              <RemovalRow key={`${removal.kind} ${removal.place}`} removal={removal} />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function RemovalRow({ removal }: { readonly removal: Removal }) {
  const { kind, place, values, deliveries, examples } = removal
  const { word, icon: Icon, personal } = removalKindWords[kind]
  return (
    <li className="removal" data-kind={kind}>
      <span className="removal-kind" data-personal={personal || undefined}>
        <Icon aria-hidden /> {word}
      </span>
      <code className="mono removal-place">
        <Shown text={cut(place, 160)} />
      </code>
      <span className="removal-count">
        <b>{count(values)}</b>
        <span className="dim">
          {values === 1 ? ' value' : ' values'}
          {deliveries > 0 && ` in ${counted(deliveries, 'delivery', 'deliveries')}`}
        </span>
      </span>
      {examples.length > 0 && (
        <ul className="removal-examples" aria-label="For example">
          {examples.map(({ deliveryId, was, becomes }, index) => (
            // Two examples may be the same value at two places.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} title={deliveryId === null ? undefined : `Delivery ${deliveryId}`}>
              {was === null ? (
                <em className="dim">not shown</em>
              ) : (
                <span className="removal-was mono">
                  <Shown text={cut(was, 80)} />
                </span>
              )}
              <ArrowRight aria-hidden />
              <span className="visually-hidden">becomes</span>
              <span className="removal-becomes mono">
                <Shown text={cut(becomes, 80)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
