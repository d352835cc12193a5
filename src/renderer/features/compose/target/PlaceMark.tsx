import { CircleHelp, Globe, House, Laptop, Network } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { Place, Target } from '#contract/sending.ts'
import { StateMark } from '../../../components/StateMark.tsx'

const faces = {
  own: { icon: House, tone: 'info', word: 'Our own listener' },
  loopback: { icon: Laptop, tone: 'valid', word: 'This machine' },
  private: { icon: Network, tone: 'valid', word: 'Private network' },
  public: { icon: Globe, tone: 'missing', word: 'Public' },
  unresolved: { icon: CircleHelp, tone: 'invalid', word: 'Does not resolve' },
} as const satisfies Record<
  Place,
  {
    icon: LucideIcon
    tone: 'info' | 'valid' | 'missing' | 'invalid'
    word: string
  }
>

const hints = {
  own: 'It arrives as another delivery, and is not forwarded in a circle.',
  loopback: 'It stays on this machine.',
  private: 'All the addresses of the name are private ones.',
  public: 'It leaves your network. Asked about once.',
  unresolved: 'The name has no address now. Is it written right, and is the network there?',
} as const satisfies Record<Place, string>

/** Where a target is, as icon and words. */
export function PlaceMark({ target }: { readonly target: Target }) {
  const { icon, tone, word } = faces[target.place]
  const said =
    target.place === 'public' ? `${word}, ${target.confirmed ? 'confirmed' : 'asked once'}` : word
  return (
    <span className="compose-place" title={hints[target.place]} data-testid="place">
      <StateMark tone={tone} icon={icon} word={said} />
    </span>
  )
}
