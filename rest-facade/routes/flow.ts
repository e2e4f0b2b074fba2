import { products } from '../../schema/core/products.ts'
import { route } from '../route.ts'

export const flowRoutes = [
  route({
    operationId: 'v1.rules.capabilities',
    tool: 'get_rule_capabilities',
    method: 'get',
    path: '/v1/rules/capabilities',
    tag: products.flow.name,
    summary: 'Show rule capabilities',
    description:
      'Lists the supported condition operators, match types, action results, server scope modes and the maximum rule-group depth.',
    document: `query { ruleCapabilities {
      condition_operators: conditionOperators { id: value label value_type: valueType }
      match_types: matchTypes { id: value label }
      action_results: actionResults { id: value label }
      server_scope_modes: serverScopeModes { id: value label }
      max_rule_group_depth: maxRuleGroupDepth
    } }`,
    response: { kind: 'resource', at: 'ruleCapabilities' },
    isFlowApi: true,
  }),
]
