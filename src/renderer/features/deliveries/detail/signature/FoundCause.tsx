import { useQuery } from '#renderer/platform/use-client.ts'
import { useLog } from '../../scope/scope.ts'

interface Props {
  readonly id: number
  /** What is said as long as nothing is found. */
  readonly otherwise: string
}

/** The causes that match, in a line for the banner. */
export function FoundCause({ id, otherwise }: Props) {
  const { state } = useQuery('deliveries.diagnose', { id, log: useLog() })
  const titles =
    state.phase === 'ready'
      ? state.value.causes
          // That the header is missing is what the banner says itself.
          .filter(({ code, outcome }) => outcome === 'matches' && code !== 'header.missing')
          .map(({ title }) => title)
      : []
  return (
    <p data-testid="found-cause">
      {titles.length > 0 ? `It is this: ${titles.join('. And: ')}.` : otherwise}
    </p>
  )
}
