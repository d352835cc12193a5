import { Waypoints } from 'lucide-react'
import { useId } from 'react'
import { readClaims } from '#contract/forwarded.ts'
import { claimNotes, tellClaims } from '#contract/forwarded-words.ts'
import type { Delivery } from '#contract/models.ts'
import { Shown } from '../../../components/Shown.tsx'
import { cut } from '../../../components/text/visible.ts'
import './WayClaims.css'

/** What the tunnel, or a header, claims of where a delivery came from; nothing where nobody claims anything. */
export function WayClaims({ delivery }: { readonly delivery: Delivery }) {
  const label = useId()
  const claims = tellClaims(readClaims(delivery.headers), delivery.via)
  if (claims === null) return null
  return (
    <section className="plain-card way-claims" aria-labelledby={label}>
      <Waypoints aria-hidden />
      <h3 className="visually-hidden" id={label}>
        Where it came from, as claimed
      </h3>
      <p className="selectable">
        Received from {delivery.remoteAddress}. <Shown text={cut(claims.says, 1000)} />
      </p>
      <p className="dim">{claimNotes(claims).join(' ')}</p>
    </section>
  )
}
