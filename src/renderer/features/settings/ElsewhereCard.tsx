import { ArrowRight } from 'lucide-react'
import { MarkedText } from '../../components/MarkedText.tsx'
import { Card } from '../../components/Page.tsx'
import { marksOf } from '../../components/text/find-words.ts'
import { useLooking } from './looking.ts'
import type { PlacedSetting } from './registry.ts'

/** What is set where it is of use, and looked for here nevertheless. */
export function ElsewhereCard({ settings }: { readonly settings: readonly PlacedSetting[] }) {
  const { words } = useLooking()
  if (settings.length === 0) return null
  return (
    <Card title="On other pages" note="What belongs to an endpoint or an integration is set there.">
      <ul className="settings-links">
        {settings.map(({ name, label, hint, card, address }) => (
          <li key={name}>
            <a href={address}>
              <span className="setting-label">
                <MarkedText text={label} marks={marksOf(words, label)} />
              </span>
              <span className="settings-page-name">
                {card} <ArrowRight aria-hidden />
              </span>
              <span className="field-hint">
                <MarkedText text={hint} marks={marksOf(words, hint)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
