-- The name of a token in lower case, in a column like that of grants, because a list contains both. Adding it rewrites the table.
ALTER TABLE "access_tokens" ADD COLUMN "sort_name" TEXT GENERATED ALWAYS AS (lower("name")) STORED;
DROP INDEX "access_tokens_team_id_name_id_idx";
DROP INDEX "access_tokens_name_id_idx";
CREATE INDEX "access_tokens_team_id_sort_name_id_idx" ON "access_tokens"("team_id", "sort_name", "id");
CREATE INDEX "access_tokens_sort_name_id_idx" ON "access_tokens"("sort_name", "id");
