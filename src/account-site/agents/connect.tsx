import { resourceIdentifier } from '../../../rest-facade/http/protected-resources.ts'
import { Samples } from '../../web/components/samples.tsx'
import type { CodeSample } from '../../web/components/samples.tsx'
import { personalTokensPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { CopiedText } from '../sign-in-settings/copied-value.tsx'

/** The name of the connection in the settings of an agent. */
const connectionName = 'team-account'

const modes = [
  {
    value: 'read',
    suffix: '/readonly',
    label: 'Read only',
    about: 'With this URL, an agent can look things up, and change nothing.',
  },
  {
    value: 'change',
    suffix: '',
    label: 'Read and change',
    about:
      'With this URL, an agent can also change things, if you allow it. Names and other texts in the team can contain instructions, which an agent may follow. Use this URL only for agents that have to change something.',
  },
] as const

const listSamples = (url: string): CodeSample[] => [
  {
    id: 'claude-code',
    title: 'Claude Code',
    about: 'Run this command in a terminal:',
    code: `claude mcp add --transport http ${connectionName} ${url}`,
  },
  {
    id: 'vs-code',
    title: 'Visual Studio Code',
    about: 'Run this command in a terminal:',
    code: `code --add-mcp '${JSON.stringify({ name: connectionName, type: 'http', url })}'`,
  },
  {
    id: 'other-agents',
    title: 'Other agents',
    about: 'Enter the URL as a remote MCP server, or add this to the file in which the agent has its MCP servers:',
    code: JSON.stringify({ mcpServers: { [connectionName]: { type: 'http', url } } }, null, 2),
  },
]

/** The address of the MCP server, and how to enter it in agents. `mode` in the address of the page selects one of two servers. */
export const ConnectSection = ({ ctx }: { ctx: PageContext }) => {
  const mode = modes.find(({ value }) => value === ctx.query.get('mode')) ?? modes[0]
  const url = resourceIdentifier(ctx.site.authUrl, 'mcp') + mode.suffix
  return (
    <section id="connect">
      <h2>Connect an agent</h2>
      <nav class="segments" aria-label="What the agent can do">
        {modes.map(({ value, label }) => (
          <a href={value === 'read' ? ctx.path : `${ctx.path}?mode=${value}`} aria-current={value === mode.value ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <p>{mode.about}</p>
      <CopiedText id="mcp-url" copied="URL" value={url} />
      <Samples samples={listSamples(url)} isFirstOpen />
      <p>
        The agent then opens this website in your browser. You sign in, choose the team, and select what the agent may do. For an agent that
        cannot do this, create a <a href={`${personalTokensPath}/new`}>personal token</a>.
      </p>
    </section>
  )
}
