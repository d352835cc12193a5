/** Under way. */
export function SandboxPage() {
  return null
}
