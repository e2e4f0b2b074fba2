-- Tables and columns take the terms that the code and the standards use. Only names change: no row is rewritten, except
-- values that are names themselves.
ALTER TABLE "oauth_artifacts" RENAME TO "oidc_models";
ALTER TABLE "oauth_answers" RENAME TO "token_responses";
ALTER TABLE "token_responses" RENAME COLUMN "artifact_hash" TO "model_hash";
ALTER TABLE "token_responses" RENAME COLUMN "sealed" TO "encrypted";
ALTER TABLE "guess_counts" RENAME TO "attempt_counts";
ALTER TABLE "oauth_grants" RENAME COLUMN "cut_team_ids" TO "revoked_team_ids";
ALTER TABLE "access_tokens" RENAME COLUMN "cut_team_ids" TO "revoked_team_ids";
ALTER TABLE "audit_entries" RENAME COLUMN "via" TO "authentication_method";

-- Constraints first: renaming a constraint renames the index behind it.
DO $$
DECLARE
    item record;
    renamed text;
BEGIN
    FOR item IN
        SELECT conrelid::regclass AS "table", conname AS name FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND conrelid <> 0
            AND (conname ~ '^(oauth_artifacts|oauth_answers|guess_counts)_' OR conname ~ '_cut_team_ids_')
    LOOP
        renamed := replace(replace(replace(replace(replace(item.name, 'oauth_artifacts', 'oidc_models'), 'oauth_answers', 'token_responses'),
            'guess_counts', 'attempt_counts'), 'artifact_hash', 'model_hash'), 'cut_team_ids', 'revoked_team_ids');
        EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', item."table", item.name, renamed);
    END LOOP;
    FOR item IN
        SELECT relname AS name FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'i' AND relname ~ '^(oauth_artifacts|oauth_answers|guess_counts)_'
    LOOP
        renamed := replace(replace(replace(item.name, 'oauth_artifacts', 'oidc_models'), 'oauth_answers', 'token_responses'),
            'guess_counts', 'attempt_counts');
        EXECUTE format('ALTER INDEX %I RENAME TO %I', item.name, renamed);
    END LOOP;
END
$$;

-- The member of an encrypted payload; these models live for an hour at most.
UPDATE "oidc_models" SET "payload" = jsonb_build_object('encrypted', "payload"->'sealed') WHERE "payload" ? 'sealed';

-- Audit entries keep what happened; the names of actions and actors follow the API, so that filters find old entries too.
ALTER TABLE "audit_entries" DISABLE TRIGGER "audit_entries_append_only";
UPDATE "audit_entries" SET "action" = CASE "action"
        WHEN 'cutTeamFromToken' THEN 'revokeTokenTeamAccess' WHEN 'cutTeamFromGrant' THEN 'revokeGrantTeamAccess'
        WHEN 'narrowGrant' THEN 'reduceGrantScopes' ELSE "action" END,
    "actor_kind" = CASE "actor_kind" WHEN 'visitor' THEN 'anonymous' ELSE "actor_kind" END,
    "actor_name" = CASE WHEN "actor_kind" = 'visitor' AND "actor_name" = 'visitor' THEN 'anonymous' ELSE "actor_name" END
WHERE "action" IN ('cutTeamFromToken', 'cutTeamFromGrant', 'narrowGrant') OR "actor_kind" = 'visitor';
ALTER TABLE "audit_entries" ENABLE TRIGGER "audit_entries_append_only";
