import { useRef } from 'react'
import { useSettings } from '../settings/store.ts'
import { Choice } from './Choice.tsx'
import { Landing } from './Landing.tsx'
import { Walk } from './Walk.tsx'
import './Guide.css'

/** The guided start, on every page while it goes on. It takes room of its own, so that it never lies over a control. */
export function Guide() {
  const at = useSettings(({ settings }) => settings?.guideAt ?? null)
  const strip = useRef<HTMLElement>(null)
  if (at === null) return null
  return (
    <section className="guide" aria-label="Guide" ref={strip} tabIndex={-1}>
      {at.way === null ? <Choice /> : <Walk at={at} way={at.way} />}
      <Landing key={`${at.way} ${at.step}`} on={strip} />
    </section>
  )
}
