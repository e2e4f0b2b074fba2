-- The names of the clients of existing grants, written by the trigger. A migration of its own: while it runs, grants can be read.
UPDATE "oauth_grants" SET "sort_name" = '';
CREATE INDEX "oauth_grants_team_id_sort_name_id_idx" ON "oauth_grants"("team_id", "sort_name", "id");
CREATE INDEX "oauth_grants_sort_name_id_idx" ON "oauth_grants"("sort_name", "id");
