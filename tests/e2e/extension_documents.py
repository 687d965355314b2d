"""The documents of the extension server of the tests: discovery and OpenAPI of one group."""
import hashlib
import json

VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']


class Kind:
    def __init__(self, plural, kind, namespaced, short_names=(), subresources=None):
        self.plural, self.kind, self.namespaced, self.short_names = plural, kind, namespaced, list(short_names)
        self.subresources = subresources or {}  # name to verbs


GADGETS = Kind('gadgets', 'Gadget', True, ['gd'], {'status': ['get', 'patch', 'update'], 'polish': ['create']})
PLANETS = Kind('planets', 'Planet', False)


class Documents:
    """Discovery and OpenAPI of the group. `versions` maps a version to its kinds."""

    def __init__(self, group, versions):
        self.group, self.versions = group, versions
        self.generation = 0  # a change of documents that tests can see

    def gvk(self, version, kind):
        return {'group': self.group, 'version': version, 'kind': kind}

    def aggregated(self):
        versions = []
        for version, kinds in self.versions.items():
            resources = []
            for kind in kinds:
                one = {'resource': kind.plural, 'responseKind': self.gvk(version, kind.kind),
                       'scope': 'Namespaced' if kind.namespaced else 'Cluster', 'singularResource': kind.kind.lower(), 'verbs': VERBS}
                if kind.short_names:
                    one['shortNames'] = kind.short_names
                if kind.subresources:
                    one['subresources'] = [{'subresource': name, 'responseKind': self.gvk(version, kind.kind), 'verbs': verbs}
                                           for name, verbs in kind.subresources.items()]
                resources.append(one)
            versions.append({'version': version, 'resources': resources, 'freshness': 'Current'})
        return {'kind': 'APIGroupDiscoveryList', 'apiVersion': 'apidiscovery.k8s.io/v2', 'metadata': {},
                'items': [{'metadata': {'name': self.group}, 'versions': versions}]}

    def group_members(self):
        versions = [{'groupVersion': f'{self.group}/{version}', 'version': version} for version in self.versions]
        return {'name': self.group, 'versions': versions, 'preferredVersion': versions[0]}

    def group_list(self):
        return {'kind': 'APIGroupList', 'apiVersion': 'v1', 'groups': [self.group_members()]}

    def group_document(self):
        return {'kind': 'APIGroup', 'apiVersion': 'v1', **self.group_members()}

    def resource_list(self, version):
        resources = []
        for kind in self.versions[version]:
            resources.append({'name': kind.plural, 'singularName': kind.kind.lower(), 'namespaced': kind.namespaced, 'kind': kind.kind,
                              'verbs': VERBS, **({'shortNames': kind.short_names} if kind.short_names else {})})
            for name, verbs in kind.subresources.items():
                resources.append({'name': f'{kind.plural}/{name}', 'singularName': '', 'namespaced': kind.namespaced,
                                  'kind': kind.kind, 'verbs': verbs})
        return {'kind': 'APIResourceList', 'apiVersion': 'v1', 'groupVersion': f'{self.group}/{version}', 'resources': resources}

    def definitions(self, version, prefix):
        """The schemas of the kinds; ObjectMeta is one of its own, other than that of any other server."""
        out = {'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {
            'description': f'Metadata as the extension has it, {self.generation}.', 'type': 'object',
            'properties': {'name': {'type': 'string'}, 'namespace': {'type': 'string'},
                           'labels': {'type': 'object', 'additionalProperties': {'type': 'string'}},
                           'annotations': {'type': 'object', 'additionalProperties': {'type': 'string'}}}}}
        metadata = {'$ref': prefix + 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}
        for kind in self.versions[version]:
            out[f'com.example.ext.{version}.{kind.kind}'] = {
                'description': f'{kind.kind} is a thing of the extension.', 'type': 'object',
                'x-kubernetes-group-version-kind': [self.gvk(version, kind.kind)],
                'properties': {
                    'apiVersion': {'type': 'string'}, 'kind': {'type': 'string'},
                    'metadata': {'allOf': [metadata]} if 'schemas' in prefix else metadata,
                    'spec': {'description': 'What is wanted.', 'type': 'object', 'properties': {
                        'size': {'description': 'How large it is, in feet.', 'type': 'integer', 'format': 'int32'},
                        'colour': {'type': 'string'}}},
                    'status': {'type': 'object', 'properties': {'phase': {'type': 'string'}}}}}
        return out

    def paths(self, version, v3):
        prefix = '#/components/schemas/' if v3 else '#/definitions/'
        out = {}
        for kind in self.versions[version]:
            schema = {'$ref': f'{prefix}com.example.ext.{version}.{kind.kind}'}
            answer = {'description': 'OK', 'content': {'application/json': {'schema': schema}}} if v3 else \
                {'description': 'OK', 'schema': schema}
            gvk = self.gvk(version, kind.kind)
            root = f'/apis/{self.group}/{version}' + ('/namespaces/{namespace}' if kind.namespaced else '') + '/' + kind.plural
            common = {'responses': {'200': answer}, 'x-kubernetes-group-version-kind': gvk}
            field_validation = {'name': 'fieldValidation', 'in': 'query', **({'schema': {'type': 'string'}} if v3 else {'type': 'string'})}
            body = {'requestBody': {'content': {'application/merge-patch+json': {'schema': {'type': 'object'}}}}} if v3 else \
                {'consumes': ['application/merge-patch+json']}
            out[root] = {'get': {**common, 'operationId': f'list{version}{kind.kind}', 'x-kubernetes-action': 'list'},
                         'post': {**common, 'operationId': f'create{version}{kind.kind}', 'x-kubernetes-action': 'post'}}
            out[root + '/{name}'] = {
                'get': {**common, 'operationId': f'read{version}{kind.kind}', 'x-kubernetes-action': 'get'},
                'patch': {**common, **body, 'operationId': f'patch{version}{kind.kind}', 'x-kubernetes-action': 'patch',
                          'parameters': [field_validation]}}
        return out

    def openapi_v2(self):
        out = {'swagger': '2.0', 'info': {'title': 'Extension', 'version': 'v1'}, 'paths': {'/version/': {'get': {'responses': {}}}},
               'definitions': {}}
        for version in self.versions:
            out['paths'].update(self.paths(version, False))
            out['definitions'].update(self.definitions(version, '#/definitions/'))
        return out

    def openapi_v3(self, version):
        return {'openapi': '3.0.0', 'info': {'title': 'Extension', 'version': version}, 'paths': self.paths(version, True),
                'components': {'schemas': self.definitions(version, '#/components/schemas/')}}

    def openapi_v3_index(self):
        return {'paths': {f'apis/{self.group}/{version}': {
            'serverRelativeURL': f'/openapi/v3/apis/{self.group}/{version}?hash={digest(self.openapi_v3(version))}'} for version in self.versions}}


def digest(document):
    return hashlib.sha256(json.dumps(document).encode()).hexdigest().upper()
