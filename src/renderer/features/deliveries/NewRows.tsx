import { ArrowUp } from 'lucide-react'
import { count } from '../../components/text/numbers.ts'
import { useDeliveries } from './store.ts'

/** What arrived while the list keeps its place. */
export function NewRows({ onShow }: { readonly onShow: () => void }) {
  const waiting = useDeliveries((state) => state.waiting)
  const atLeast = useDeliveries((state) => state.waitingAtLeast)
  const paused = useDeliveries((state) => state.paused)
  const shown = waiting > 0 && !paused
  return (
    <div className="new-rows" aria-live="polite">
      {shown && (
        <button type="button" onClick={onShow}>
          <ArrowUp aria-hidden /> {count(waiting)}
          {atLeast && '+'} new
        </button>
      )}
    </div>
  )
}
