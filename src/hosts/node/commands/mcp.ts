import { exits, leaf, type ExitCode } from '../command-line/command.ts'
import { dataFolder } from '../command-line/globals.ts'

export const command = leaf(
  'mcp',
  'Serve deliveries to a coding assistant (Model Context Protocol)',
  [
    ['Serve the default data folder over stdio', 'mcp'],
    ['Serve another data folder', 'mcp --data ./data'],
  ],
).action(
  exits(async (): Promise<ExitCode> => {
    // Only this command loads the protocol.
    const { serve } = await import('../mcp/server.ts')
    await serve(dataFolder())
    return 0
  }),
)
