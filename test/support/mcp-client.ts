import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { cliFile } from './run-cli.ts'

/** The official client, connected to `tabscope mcp` with this data folder. It validates results against the output schemas once it knows the tools. */
export async function mcpClient(
  dataDir: string,
  options: readonly string[] = [],
  name = 'Helper',
  settings: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name, version: '1' }, settings)
  const args = [cliFile, 'mcp', ...options, '--data', dataDir]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  await client.listTools()
  return client
}
