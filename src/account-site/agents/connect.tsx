import { CopyButton } from '../../web/components/copy-button.tsx'
import { personalTokensPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'
import { CopiedText } from '../sign-in-settings/copied-value.tsx'

/** The name of the connection in the settings of an agent. */
const connectionName = 'team-account'

const modes = [
  {
    value: 'read',
    path: '/mcp/readonly',
    label: 'Read only',
    about: 'With this URL, an agent can look things up, and change nothing.',
  },
  {
    value: 'change',
    path: '/mcp',
    label: 'Read and change',
    about:
      'With this URL, an agent can also change things, if you allow it. Names and other texts in the team can contain instructions, which an agent may follow. Use this URL only for agents that have to change something.',
  },
] as const

interface Sample {
  id: string
  /** The agent. */
  title: string
  /** Where the lines belong. */
  about: string
  code: string
}

const listSamples = (url: string): Sample[] => [
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
  const url = ctx.site.authUrl + mode.path
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
      {listSamples(url).map(({ id, title, about, code }) => (
        <details class="sample" open={id === 'claude-code'}>
          <summary>{title}</summary>
          <p>{about}</p>
          <pre id={id} tabIndex={0} role="region" aria-label={`Lines for ${title}`}>
            {code}
          </pre>
          <div class="copying">
            <CopyButton targetId={id}>Copy</CopyButton>
          </div>
        </details>
      ))}
      <p>
        The agent then opens this website in your browser. You sign in, choose the team, and select what the agent may do. For an agent that
        cannot do this, create a <a href={`${personalTokensPath}/new`}>personal token</a>.
      </p>
    </section>
  )
}
