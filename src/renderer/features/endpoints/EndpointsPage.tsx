/** Under way. */
export function EndpointsPage() {
  return null
}
