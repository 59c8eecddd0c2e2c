import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import { describeInterface } from '@app/core/openapi/describe-interface';

/** Serves `/docs` and `/docs/openapi.json`; the document is made when somebody first asks for it. */
export function serveDocumentation(app: NestExpressApplication): void {
  SwaggerModule.setup('docs', app, () => describeInterface(app), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Account API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}
