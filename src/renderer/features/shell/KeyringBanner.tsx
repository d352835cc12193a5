import { LockKeyhole } from 'lucide-react'
import { useShell } from './store.ts'

/** The system's keyring waits for the user: what cannot be done until then, and what to do. */
export function KeyringBanner() {
  const locked = useShell((state) => state.secretsLocked)
  if (!locked) return null
  return (
    <div className="lost" role="status">
      <LockKeyhole aria-hidden />
      <p>
        <b>Your system’s keyring is locked.</b> Unlock it to use and store secrets and tokens.
        Deliveries are captured meanwhile, but their signatures cannot be checked.
      </p>
    </div>
  )
}
