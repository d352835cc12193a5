import { Ban, Check, X } from 'lucide-react'
import type { Transfer } from '../../state/logs.ts'

/** The result of a transfer as an icon. The caller shows the text. */
export function TransferIcon({ transfer: { of } }: { readonly transfer: Transfer }) {
  switch (of.state) {
    case 'running':
      return null
    case 'done':
      return (
        <span className="disc" data-tone="valid">
          <Check aria-hidden strokeWidth={2.8} />
        </span>
      )
    case 'cancelled':
      return (
        <span className="disc" data-tone="unsigned">
          <Ban aria-hidden strokeWidth={2.8} />
        </span>
      )
    case 'failed':
      return (
        <span className="disc" data-tone="invalid">
          <X aria-hidden strokeWidth={2.8} />
        </span>
      )
  }
}
