import { useTunnel } from '../../state/tunnel.ts'

/** Tells those who do not see the bar that the tunnel is lost, or back: once, and when they are done with what they do. */
export function TunnelAnnouncement() {
  const text = useTunnel((state) => state.said.text)
  return (
    <p className="visually-hidden" role="status" aria-label="Tunnel" data-testid="tunnel-said">
      {text}
    </p>
  )
}
