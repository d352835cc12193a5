/** Under way. */
export function SettingsPage() {
  return null
}
