import type { Delivery } from '#contract/models.ts'
import { useChecked } from './use-checked.ts'

interface Props {
  readonly delivery: Delivery
  /** What is said as long as nothing is found. */
  readonly otherwise: string
}

/** The causes that match, in a line for the banner. */
export function FoundCause({ delivery, otherwise }: Props) {
  const { state } = useChecked('deliveries.diagnose', delivery)
  const titles =
    state.phase === 'ready'
      ? state.value.causes
          // That the header is missing is what the banner says itself.
          .filter(({ code, outcome }) => outcome === 'matches' && code !== 'header.missing')
          .map(({ title }) => title)
      : []
  return (
    <p data-testid="found-cause">
      {titles.length > 0 ? `Cause: ${titles.join('. And: ')}.` : otherwise}
    </p>
  )
}
