import type { Handlers } from '#contract/calls.ts'
import type { Context } from './context.ts'
import { appRoutes } from './routes.ts'
import { deliveryRoutes } from '../deliveries/routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { signatureRoutes } from '../signature/routes.ts'
import { conformanceRoutes } from '../conformance/routes.ts'
import { traceRoutes } from '../traces/routes.ts'
import { sendingRoutes } from '../sending/routes.ts'
import { endpointRoutes } from '../endpoints/routes.ts'
import { integrationRoutes } from '../integrations/routes.ts'
import { tunnelRoutes } from '../tunnel/routes.ts'
import { authorizationRoutes } from '../oauth/routes.ts'
import { tokenRoutes } from '../tokens/routes.ts'
import { eventLogRoutes } from '../event-logs/routes.ts'
import { settingsRoutes } from '../settings/routes.ts'
import { sandboxRoutes } from '../sandbox/routes.ts'
import { apiConsoleRoutes } from '../api-console/routes.ts'
import { AssistantCalls } from '../assistants/calls.ts'
import { assistantRoutes } from '../assistants/routes.ts'
import { healthRoutes } from '../health/routes.ts'
import { generateRoutes } from '../generate/routes.ts'
import { holdRoutes } from '../sending/hold/routes.ts'
import { relayRoutes } from '../relay/routes.ts'
import { rehearsalRoutes } from '../rehearsal/routes.ts'
import { scriptRoutes } from '../scripts/routes.ts'
import { scenarioRoutes } from '../scenarios/scenarios.ts'

export function createHandlers(context: Context): Handlers {
  const sending = sendingRoutes(context)
  const rehearsals = rehearsalRoutes(context)
  return {
    ...appRoutes(context),
    ...deliveryRoutes(context),
    ...searchRoutes(context),
    ...signatureRoutes(context),
    ...conformanceRoutes(context),
    ...traceRoutes(context),
    ...sending,
    ...endpointRoutes(context),
    ...holdRoutes(context),
    ...scriptRoutes(context),
    ...integrationRoutes(context),
    ...tunnelRoutes(context),
    ...authorizationRoutes(context),
    ...tokenRoutes(context),
    ...eventLogRoutes(context),
    ...settingsRoutes(context),
    ...sandboxRoutes(context),
    ...apiConsoleRoutes(context),
    ...rehearsals,
    ...scenarioRoutes(context),
    ...relayRoutes(context),
    ...healthRoutes(context),
    ...generateRoutes(context),
    ...assistantRoutes(new AssistantCalls(context, { ...sending, ...rehearsals })),
  }
}
